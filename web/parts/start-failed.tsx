import { Refused, Unreachable } from '../api/client.ts'

/** Before anybody's language is known: in both. */
export function StartFailed({ error, again }: { readonly error: unknown; readonly again: () => void }) {
  const isAway = error instanceof Unreachable || (error instanceof Refused && error.status >= 500)
  return (
    <main className="start-failed" role="alert">
      <h1>Latarnik</h1>
      <p>{isAway ? 'The server cannot be reached, or cannot answer now.' : 'The console could not start.'}</p>
      <p lang="pl">
        {isAway ? 'Serwer jest nieosiągalny albo teraz nie odpowiada.' : 'Konsola nie mogła się uruchomić.'}
      </p>
      {error instanceof Refused ? <p>{error.message}</p> : null}
      <button type="button" onClick={again}>
        Try again · <span lang="pl">Spróbuj ponownie</span>
      </button>
    </main>
  )
}
