/** A dump cannot be written or loaded, and a person has to act. The message is one sentence for that person. */
export class DumpRefused extends Error {
  override readonly name = 'DumpRefused'
}
