extension Invocation {
  /// What `--help` prints.
  public static let usage = """
    usage: worldclock [options] [zone | city | country]…

    Shows what the clocks say in those places, then how the launch went.

      --at TIME        the time at which the clocks are read: a Unix time, or 2026-10-25T00:59:59Z
      --home ZONE      the zone to compare with; yours if it is left out
      --zone-file FILE the link that leads to your zone; TZ or /etc/localtime if it is left out
      --json           clocks and reports as JSON
      --watch          goes on: a line each second, from --at on if that is given
      --pid-file FILE  where a watching program writes down its number
      --post URL       posts a digest of the clocks there, and ends when it has arrived
      --digests COUNT  so many digests, an hour apart
      --outbox FILE    keeps digests until they have arrived; alone, posts those that are left in it
      --help           this text

    While it watches, SIGHUP reads the time zone database again, SIGTERM and SIGINT end it.

    TZDIR names another directory for the time zone database, WORLDCLOCK_VERIFY switches its check on.
    """
}
