/** The database cannot be used, and a person has to act. The message is one sentence for that person. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
}
