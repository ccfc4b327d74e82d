/**
 * The message of an error. An error without one, such as one over several refused addresses, gives its code or name.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
