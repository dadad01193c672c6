/// One step of a cycle, and where it was written.
struct CycleLink {
  let dependent: Int
  let prerequisite: Int
  let kind: DependencyGraph.EdgeKind
  let reference: Reference
}
