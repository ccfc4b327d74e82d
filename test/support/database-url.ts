/**
 * The URL of another database on the same server; socket URLs (`postgres:///name?host=…`) have no host that URL would
 * read.
 */
export function databaseOn(serverUrl: string, name: string): string {
  return serverUrl.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${name}`)
}
