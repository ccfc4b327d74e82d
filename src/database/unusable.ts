/** The database cannot be used, and a person has to act. The message is one sentence for that person. */
export class DatabaseUnusable extends Error {
  override readonly name: string = 'DatabaseUnusable'
}

/**
 * The same, but another try may succeed: its server does not answer now, its disk is full, or it has no connection
 * left.
 */
export class DatabaseAway extends DatabaseUnusable {
  override readonly name = 'DatabaseAway'
}
