/** Time-zone ids are the IANA name in lower case with `_` for `/` (answers §4). */

/** Newer names of zones that the runtime may list under older ones. Both stay valid with any runtime. */
const renamed = [
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Argentina/Catamarca',
  'America/Argentina/Cordoba',
  'America/Argentina/Jujuy',
  'America/Argentina/Mendoza',
  'America/Atikokan',
  'America/Indiana/Indianapolis',
  'America/Kentucky/Louisville',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Kanton',
  'Pacific/Pohnpei',
]

function isKnownToRuntime(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** `America/Port-au-Prince` becomes `america_port-au-prince`. */
function idOf(name: string): string {
  return name.toLowerCase().replaceAll('/', '_')
}

const names = [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...renamed.filter(isKnownToRuntime)]),
].toSorted()

/** An id cannot be turned back into a name (`_` stands for `/` and for itself), hence the map. */
const nameById = new Map(names.map((name) => [idOf(name), name]))
const idByName = new Map(names.map((name) => [name.toLowerCase(), idOf(name)]))

/** Every id, in the order of the names. */
export const timeZoneIds: readonly string[] = [...nameById.keys()]

/** `europe_warsaw` → `Europe/Warsaw`; undefined for an unknown id. */
export function timeZoneName(id: string): string | undefined {
  return nameById.get(id)
}

/** `Europe/Warsaw` → `europe_warsaw`; undefined for an unknown name. */
export function timeZoneId(name: string): string | undefined {
  return idByName.get(name.toLowerCase())
}

/**
 * `Europe/Warsaw`, `europe_warsaw` and other names of the same zone (`Etc/UTC`) → the id; undefined for any other text.
 */
export function readTimeZone(written: string): string | undefined {
  const known = timeZoneId(written) ?? (timeZoneName(written.toLowerCase()) && written.toLowerCase())
  if (known !== undefined || !isKnownToRuntime(written)) return known
  return timeZoneId(new Intl.DateTimeFormat('en', { timeZone: written }).resolvedOptions().timeZone)
}
