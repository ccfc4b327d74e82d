/** What an error says in words; its code or name where it has none, as an error of several addresses that all refused. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
