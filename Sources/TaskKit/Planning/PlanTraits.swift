/// What the tasks of a plan ask of the scheduler, and how they run.
struct PlanTraits {
  /// By node.
  let demands: ContiguousArray<TaskDemands>
  /// By node.
  let forms: ContiguousArray<TaskBody.Form>
  /// What any of them asks for.
  let allDemands: TaskDemands
  /// How any of them runs.
  let allForms: TaskBody.Forms
  /// Whether each is what the table says.
  let areDeclared: Bool

  /// - Parameters:
  ///   - members: in the order of declaration.
  ///   - table: that of the center's registry.
  init(
    of members: ContiguousArray<Int32>, _ bodies: EventPlan.Bodies, in records: ContiguousArray<TaskRecord>,
    table: RegistryTable?, _ ranks: PlanRanks
  ) {
    var demands = ContiguousArray<TaskDemands>(repeating: [], count: members.count)
    var forms = ContiguousArray<TaskBody.Form>(repeating: .synchronous, count: members.count)
    var allDemands: TaskDemands = []
    var allForms: TaskBody.Forms = []
    var areDeclared = table != nil
    for (member, task) in members.enumerated() {
      let facts = records[Int(task)].facts()
      if let table, !records[Int(task)].isDeclared(in: table) { areDeclared = false }
      let form =
        switch bodies {
        case .registered(let occasions) where occasions.isEmpty || occasions[member] == 0: facts.form
        case .registered(let occasions):
          records[Int(task)].registration.body(at: Int(occasions[member])).form
        case .given(let members): members[member].body.form
        }
      let node = Int(ranks.rank[member])
      demands[node] = facts.demands
      forms[node] = PlanTraits.form(form, facts.demands)
      allDemands.formUnion(facts.demands)
      allForms.formUnion(TaskBody.Forms(forms[node]))
    }
    self.demands = demands
    self.forms = forms
    self.allDemands = allDemands
    self.allForms = allForms
    self.areDeclared = areDeclared
  }

  /// A synchronous body with a timeout is given to a worker of its own, like an asynchronous one: on the thread of
  /// the sender it would hold the event up however long it takes.
  @inline(__always)
  private static func form(_ form: TaskBody.Form, _ demands: TaskDemands) -> TaskBody.Form {
    form == .synchronous && demands.contains(.timeout) ? .asynchronous : form
  }

  /// The nodes of each lane in the order of the law.
  func lanes(_ registrations: PlanRegistrations) -> [Lane: [Int32]] {
    var lanes: [Lane: [Int32]] = [:]
    guard allDemands.contains(.lane) else { return lanes }
    for node in demands.indices where demands[node].contains(.lane) {
      if let lane = registrations[node].lane { lanes[lane, default: []].append(Int32(node)) }
    }
    return lanes
  }
}
