import { plainLetters } from '../text/plain-letters.ts'

/** The name of a heartbeat in its ping address: 1 to 100 of `a-z 0-9 _ -`. */
const slug = /^[a-z0-9_-]{1,100}$/

export function isPingSlug(text: string): boolean {
  return slug.test(text)
}

/** A name as a slug: `Kopia bazy (Gdańsk)` becomes `kopia-bazy-gdansk`; null when nothing of it is left. */
export function slugOf(name: string): string | null {
  const words = plainLetters(name)
    .toLowerCase()
    .split(/[^a-z0-9_]/)
    .filter((word) => word !== '')
  const made = words.join('-').slice(0, 100)
  return made === '' ? null : made
}
