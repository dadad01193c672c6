import Testing

/// What is wrong with the arguments of `@DurableTask`.
@Suite struct DurableAnnotationTests {
  @Test(arguments: kinds)
  func `a kind that cannot be stored is an error`(picture: Picture) {
    picture.check()
  }

  static let kinds = [
    Picture(
      "noKind",
      text: """
        @DurableTask
         ^~~~~~~~~~~
         | error: '@DurableTask' does not say by which name its jobs are stored, for years; add 'kind:'
         | fix-it: add 'kind: "upload-photo"'
        struct UploadPhoto: Codable {
          func run(_ context: DurableContext) {}
        }
        """,
      repaired:
        """
        @DurableTask(kind: "upload-photo")
        struct UploadPhoto: Codable {
          func run(_ context: DurableContext) {}
        }
        """),
    Picture(
      "noKind",
      text: """
        @DurableTask(queue: "photos")
         ^~~~~~~~~~~
         | error: '@DurableTask' does not say by which name its jobs are stored, for years; add 'kind:'
         | fix-it: add 'kind: "http-upload2"'
        struct HTTPUpload2: Codable {
          func run() {}
        }
        """,
      repaired:
        """
        @DurableTask(kind: "http-upload2", queue: "photos")
        struct HTTPUpload2: Codable {
          func run() {}
        }
        """),
    Picture(
      "noKind",
      text: """
        @DurableTask()
         ^~~~~~~~~~~
         | error: '@DurableTask' does not say by which name its jobs are stored, for years; add 'kind:'
         | fix-it: add 'kind: "an-url-old"'
        struct AnURL_Old: Codable {
          func run() {}
        }
        """,
      repaired:
        """
        @DurableTask(kind: "an-url-old")
        struct AnURL_Old: Codable {
          func run() {}
        }
        """),
    Picture(
      "emptyKind",
      text: """
        @DurableTask(kind: " ")
                           ^~~
                           | error: 'kind:' is empty, and it is the name by which jobs are stored; write one
                           | fix-it: write '"upload"'
        struct Upload: Codable {
          func run() {}
        }
        """,
      repaired:
        """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          func run() {}
        }
        """),
    Picture(
      "kindIsNotLiteral",
      text: """
        @DurableTask(kind: Kinds.upload)
                           ^~~~~~~~~~~~
                           | error: 'kind:' is not a plain string literal, which the build needs to read it;
                           |   write the kind between quotes
        struct Upload: Codable {
          func run() {}
        }
        """),
    Picture(
      "kindIsNotLiteral",
      text: #"""
        @DurableTask(kind: "upload\(1)")
                           ^~~~~~~~~~~~
                           | error: 'kind:' is not a plain string literal, which the build needs to read it;
                           |   write the kind between quotes
        struct Upload: Codable {
          func run() {}
        }
        """#),
  ]

  @Test(arguments: options)
  func `an option that no job could live with is an error`(picture: Picture) {
    picture.check()
  }

  static let options = [
    Picture(
      "attemptsBelowOne",
      text: """
        @DurableTask(kind: "upload", attempts: 0)
                                               ^
                                               | error: a task is tried at least once, and 'attempts' is 0;
                                               |   write 1 or more
                                               | fix-it: replace '0' with '1'
        struct Upload: Codable { func run() {} }
        """,
      repaired:
        """
        @DurableTask(kind: "upload", attempts: 1)
        struct Upload: Codable { func run() {} }
        """),
    Picture(
      "crashesBelowOne",
      text: """
        @DurableTask(kind: "upload", crashes: 0)
                                              ^
                                              | error: a job is held when its process has died 'crashes'
                                              |   times in it, and that is 0; write 1 or more
                                              | fix-it: replace '0' with '1'
        struct Upload: Codable { func run() {} }
        """,
      repaired:
        """
        @DurableTask(kind: "upload", crashes: 1)
        struct Upload: Codable { func run() {} }
        """),
    Picture(
      "keyLimitBelowOne",
      text: #"""
        @DurableTask(kind: "upload", keyLimit: .by(\.account, count: 0))
                                                                     ^
                                                                     | error: 'keyLimit:' lets 0 jobs of a
                                                                     |   key run at a time, so none ever
                                                                     |   would; write 1 or more
                                                                     | fix-it: replace '0' with '1'
        struct Upload: Codable { func run() {} }
        """#,
      repaired:
        #"""
        @DurableTask(kind: "upload", keyLimit: .by(\.account, count: 1))
        struct Upload: Codable { func run() {} }
        """#),
    Picture(
      "emptyOption", "deadlineIsNotPositive", "limitBelowOne", "emptyOption",
      text: """
        @DurableTask(
          kind: "upload",
          queue: "",
                 ^~
                 | error: 'queue:' is empty; write a name, or leave it out
                 | fix-it: remove 'queue:'
          deadline: .seconds(0),
                             ^
                             | error: a deadline of '.seconds(0)' is over before the attempt begins; write a
                             |   later one
                             | fix-it: remove 'deadline:'
          limit: 0,
                 ^
                 | error: 'limit:' is 0, so no job of the kind would ever run; write 1 or more, or leave it
                 |   out
                 | fix-it: remove 'limit:'
          store: " ")
                 ^~~
                 | error: 'store:' is empty; write a name, or leave it out
                 | fix-it: remove 'store:'
        struct Upload: Codable { func run() {} }
        """,
      repaired:
        """
        @DurableTask(
          kind: "upload",
          deadline: .seconds(0),
          limit: 0,
          store: " ")
        struct Upload: Codable { func run() {} }
        """,
      """
      @DurableTask(
        kind: "upload",
        queue: "",
        limit: 0,
        store: " ")
      struct Upload: Codable { func run() {} }
      """,
      """
      @DurableTask(
        kind: "upload",
        queue: "",
        deadline: .seconds(0),
        store: " ")
      struct Upload: Codable { func run() {} }
      """,
      """
      @DurableTask(
        kind: "upload",
        queue: "",
        deadline: .seconds(0),
        limit: 0)
      struct Upload: Codable { func run() {} }
      """),
  ]
}
