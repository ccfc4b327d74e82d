import { placement } from './shards.ts'

/** Not as a text, by which the catalogue is asked. */
const tables = new RegExp(`(?<!')\\b(?:${Object.keys(placement.distributed).join('|')})\\b`)
const writes = /\b(?:insert\s+into|delete\s+from|update\s+\w+\s+(?:as\s+)?(?:\w+\s+)?set|truncate)\b/i
const ofServices = /\bservice_id"?\s*=\s*(?:any\s*\(\s*)?\$(\d+)/gi

/** True for a statement that reads the history, and writes nothing. */
export function readsHistory(text: string): boolean {
  return tables.test(text) && !writes.test(text)
}

/** The places, from 0, of the parameters that name a statement's services; none where it reads the history of all. */
export function placesOfServices(text: string): readonly number[] {
  return [...new Set([...text.matchAll(ofServices)].map(([, number]) => Number(number) - 1))]
}

/** The services whose history a statement reads; none where it reads that of all. */
export function servicesRead({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) {
  const named = placesOfServices(text).flatMap((place) => values[place])
  // No service has another number.
  return [...new Set(named.map(Number))].filter((id) => Number.isInteger(id) && Math.abs(id) < 2 ** 31)
}
