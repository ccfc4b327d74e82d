// Servers of the distribution, for tests that want a real one beside those that are written here.
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'

/** Where the program is; a variable, such as REDIS_SERVER, names another place. Null where there is none. */
export function installedProgram(name: string): string | null {
  const variable = name.toUpperCase().replaceAll('-', '_')
  try {
    return execFileSync('which', [process.env[variable] ?? name], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === 'object' && address !== null ? address.port : 0
}
