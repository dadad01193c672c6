@testable import TaskKit
import Testing

/// What there is to do on the main actor, as its own queue takes it and as who waits there does.
@Suite struct MainActorPiecesTests {
  @Test func `who waits on the main actor looks at nothing that has had its turn, however much that was`() {
    var pieces = MainActorPieces()
    for _ in 0..<1000 {
      let number = pieces.add {}
      let body = pieces.take(number)
      #expect(body != nil)
    }
    #expect(pieces.reach == 0)
    let next = pieces.takeNext()
    #expect(next == nil)
  }

  @Test func `each piece begins once, at its turn or before that`() {
    var pieces = MainActorPieces()
    let numbers = (0..<4).map { _ in pieces.add {} }
    let second = pieces.take(numbers[1])
    let begun = [pieces.takeNext(), pieces.takeNext()]
    let late = [pieces.take(numbers[0]), pieces.take(numbers[2])]
    let last = [pieces.take(numbers[3]), pieces.takeNext()]
    #expect(second != nil)
    #expect(begun.allSatisfy { $0 != nil })
    #expect(late.allSatisfy { $0 == nil })
    #expect(last.map { $0 != nil } == [true, false])
    #expect(pieces.reach == 0)
  }
}
