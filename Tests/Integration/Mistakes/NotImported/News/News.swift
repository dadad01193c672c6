public import Core

public let newsNeeds = OpenDatabase.self
