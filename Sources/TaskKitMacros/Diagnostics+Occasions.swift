import SwiftDiagnostics
import SwiftSyntax

// What can be wrong with what an annotation says about when its task runs. See `Diagnostics.swift`.

// MARK: - event: and events:

extension Diagnostic {
  static func noEvent(_ attribute: AttributeSyntax) -> Diagnostic {
    .error(
      "'@\(attribute.annotationName)' names no event; add one, as in 'event: .didFinishLaunching'",
      at: attribute.attributeName)
  }

  static func bothEventAndEvents(_ several: LabeledExprSyntax, and single: LabeledExprSyntax) -> Diagnostic {
    .error(
      "'event:' and 'events:' are both given; list all events behind 'events:'",
      at: several.label.map(Syntax.init) ?? Syntax(several), notes: [("'event:' is here", Syntax(single))])
  }

  static func eventsInBrackets(_ list: ArrayExprSyntax) -> Diagnostic {
    let events = list.elements.trimmedDescription
    return .error(
      "events are not written in an array, because each has its own payload; write 'events: .first, .second'",
      at: list, repairs: events.isEmpty ? [] : [Repair("remove the brackets", .replace(list, with: events))])
  }

  static func eventIsNotMember(_ expression: ExprSyntax) -> Diagnostic {
    .error(
      "'\(expression.quotation)' does not tell the build which event it is; write a static member such as "
        + "'.didFinishLaunching', or 'LifecycleEvent<Payload, Void>(\"name\")'",
      at: expression)
  }

  static func duplicateEvent(_ argument: LabeledExprSyntax, in list: LabeledExprListSyntax) -> Diagnostic {
    let event = argument.expression.quotation
    return .error(
      "event '\(event)' is listed twice, so the task would run twice; remove one of them",
      at: argument.expression, repairs: [Repair("remove the second '\(event)'", .remove(argument, from: list))])
  }
}

// MARK: - every:, at:, cron:, daily: and count:

extension Diagnostic {
  static func noSchedule(_ attribute: AttributeSyntax) -> Diagnostic {
    .error(
      "'@\(attribute.annotationName)' does not say when; add 'every:', 'at:', 'cron:' or 'daily:', as in "
        + "'every: .seconds(30)'", at: attribute.attributeName)
  }

  static func intervalIsNotPositive(_ argument: LabeledExprSyntax) -> Diagnostic {
    .error(
      "an interval of '\(argument.expression.quotation)' would run the task without a pause; write a longer one",
      at: argument.expression.durationNumber)
  }

  static func dateIsBeyondCounting(_ date: ExprSyntax) -> Diagnostic {
    .error(
      "'at:' says no date before the year 2262, in which the counting of a center ends; write seconds since 1970, not "
        + "milliseconds", at: date)
  }

  static func countBelowOne(_ count: ExprSyntax) -> Diagnostic {
    .error(
      "'count:' is \(count.quotation), so the task would never run; write 1 or more, or leave it out",
      at: count, repairs: [Repair("replace '\(count.quotation)' with '1'", .replace(count, with: "1"))])
  }
}

extension Diagnostic {
  static func countOfOneDate(_ argument: LabeledExprSyntax, in list: LabeledExprListSyntax) -> Diagnostic {
    .error(
      "a date without an interval is one run, and 'count:' is \(argument.expression.quotation); add 'every:', or remove "
        + "'count:'",
      at: argument.expression, repairs: [Repair("remove 'count:'", .remove(argument, from: list))])
  }

  static func durationIsNegative(_ duration: ExprSyntax, of label: String) -> Diagnostic {
    .error(
      "'\(label):' of '\(duration.quotation)' is less than nothing; write '.zero', or more",
      at: duration.durationNumber,
      repairs: [Repair("write '.zero'", .replace(duration, with: ".zero"))])
  }

  static func missedBelowOne(_ missed: ExprSyntax, _ most: ExprSyntax) -> Diagnostic {
    .error(
      "'\(missed.quotation)' makes up for none of the missed runs; write '.skip', or 1 or more", at: most,
      repairs: [Repair("write '.skip'", .replace(missed, with: ".skip"))])
  }
}

// MARK: - Notifications and sequences

extension Diagnostic {
  static func noNotification(_ attribute: AttributeSyntax) -> Diagnostic {
    .error(
      "'@\(attribute.annotationName)' names no notification; write its name first, as in "
        + "'@\(attribute.annotationName)(\"PricesChanged\")'", at: attribute.attributeName)
  }

  static func emptyNotification(_ argument: LabeledExprSyntax) -> Diagnostic {
    .error("the name of the notification is empty; write the name with which it is posted", at: argument.expression)
  }

  static func noSequence(_ attribute: AttributeSyntax) -> Diagnostic {
    .error(
      "'@\(attribute.annotationName)' names no sequence; write it first, as in "
        + "'@\(attribute.annotationName)(Prices.updates)'", at: attribute.attributeName)
  }
}
