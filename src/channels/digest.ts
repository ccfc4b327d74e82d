import { createHash } from 'node:crypto'

/** A key as 32 characters that every protocol accepts. */
export function digest(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32)
}
