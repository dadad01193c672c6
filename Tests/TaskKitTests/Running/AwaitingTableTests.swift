import Testing

@testable import TaskKit

/// Who awaits what, against a plain list.
@Suite struct AwaitingTableTests {
  private struct Edge: Hashable {
    let waited: Waited
    let frame: FrameIdentity
  }

  @Test func `it knows what a plain list would know, and keeps nothing of what has ended`() {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<300 {
      var table = AwaitingTable()
      var list: [Edge] = []
      for _ in 0..<60 {
        let run = UInt64.random(in: 1...5, using: &random)
        let body = FrameIdentity.Body(
          run: RunHandle(slot: Int(run), id: run), node: .random(in: 0...2, using: &random))
        let frame = FrameIdentity(body: body, making: Bool.random(using: &random) ? 1 : nil)
        let waited = Waited.run(.random(in: 1...5, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0:
          table.removeAll(waitingFor: waited)
          list.removeAll { $0.waited == waited }
        case 1:
          table.removeAll(ofRun: run)
          list.removeAll { $0.frame.body?.run.id == run }
        case 2:
          table.removeAll(ofRun: run, butBy: [body.node])
          list.removeAll { $0.frame.body?.run.id == run && $0.frame.body?.node != body.node }
        case 3, 4:
          table.remove(waited, by: frame)
          if let last = list.lastIndex(where: { $0.waited == waited && $0.frame == frame }) { list.remove(at: last) }
        default:
          table.add(waited, by: frame)
          list.append(Edge(waited: waited, frame: frame))
        }
        #expect(table.isEmpty == list.isEmpty)
        #expect(table.storedCount == list.count + Set(list).count)
        #expect(
          table.waited(inRun: run) { $0.body?.node == body.node }
            == list.filter { $0.frame.body == body }.map(\.waited))
        #expect(
          table.waited(inRun: nil) { $0.making == 1 } == list.filter { $0.frame.making == 1 }.map(\.waited))
      }
    }
  }
}
