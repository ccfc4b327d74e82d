/** Longer names are not compared: a request may be full of them, and the cost grows with both lengths. */
const longestCompared = 60

const mostMistakes = 4

/** One mistake for every three characters, and two already for a name of four. */
function mistakesAllowed(length: number): number {
  return length < 4 ? 1 : Math.min(mostMistakes, Math.max(2, Math.floor(length / 3)))
}

/** `Time-Zone ID` and `timeZoneId` are `time_zone_id`. */
function plain(name: string): string {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[\s.-]+/g, '_')
}

/** Letters that one must insert, leave out, replace or swap with their neighbour (optimal string alignment). */
function distance(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, place) => place)]
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const changed = Math.min((last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1)
      const kept = Math.min(changed, (last[column - 1] ?? 0) + (isSame ? 0 : 1))
      next.push(isSwap ? Math.min(kept, (before[column - 2] ?? 0) + 1) : kept)
    }
    ;[before, last] = [last, next]
  }
  return last[other.length] ?? 0
}

/** The known name that was probably meant; null where none is near. Of two that are equally near, the first. */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > longestCompared) return null
  const written = plain(name)
  let [nearest, fewest]: [string | null, number] = [null, mistakesAllowed(written.length) + 1]
  for (const one of known) {
    if (Math.abs(one.length - written.length) >= fewest) continue
    const mistakes = distance(written, plain(one))
    if (mistakes < fewest && mistakes < written.length) [nearest, fewest] = [one, mistakes]
  }
  return nearest
}

/** For a message in English that names the unknown: ` Did you mean interval?`; empty where nothing is near. */
export function meantHint(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === null ? '' : ` Did you mean ${nearest}?`
}
