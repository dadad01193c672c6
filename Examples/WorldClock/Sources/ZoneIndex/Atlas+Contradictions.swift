import ZoneData

extension Atlas {
  /// What the parts of the database say differently: links whose file is not that of the zone they stand for, and
  /// files whose rule does not go on from their last transition.
  func contradictions() -> [String] {
    zones.zones.values.sorted { $0.name < $1.name }.flatMap { zone -> [String] in
      var found: [String] = []
      let proper = aliases.canonical(zone.name)
      if let other = zones.zones[proper], other.file.transitions != zone.file.transitions {
        found.append("'\(zone.name)' is a link to '\(proper)', but its file says something else")
      }
      if let rule = zone.file.rule, let last = zone.file.transitions.last, let index = zone.file.typeIndices.last,
        rule.localTime(at: last) != zone.file.types[Int(index)]
      {
        found.append("the rule of '\(zone.name)' contradicts its last transition")
      }
      return found
    }
  }
}
