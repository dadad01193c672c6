import Testing

@Test func `one is two`() {
  #expect(1 == 2)
}
