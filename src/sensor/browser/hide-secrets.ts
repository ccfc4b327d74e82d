const shortest = 1
const cover = '***'

/** Replaces every secret, also as it stands in addresses, JSON and Basic credentials. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const spellings = new Set(secrets.filter((secret) => secret.length >= shortest).flatMap(spellingsOf))
  return [...spellings]
    .toSorted((one, other) => other.length - one.length)
    .reduce((covered, spelling) => covered.replaceAll(spelling, cover), text)
}

function spellingsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(secret),
    encodeURI(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    Buffer.from(secret).toString('base64'),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ]
}
