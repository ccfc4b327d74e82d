/** The program cannot start, and a person has to act. The message is one sentence for that person. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}
