/** The API's id of an IANA zone: lower case, `_` for `/`, for example `europe_warsaw` (choices, section 4). */
export function timeZoneId(ianaName: string): string {
  return ianaName.toLowerCase().replaceAll('/', '_')
}

/** Zones renamed in the tz database; runtimes differ in which of the two names they list. */
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

const ianaNames: ReadonlyMap<string, string> = new Map(
  ['UTC', ...Intl.supportedValuesOf('timeZone'), ...renamed].map((ianaName) => [timeZoneId(ianaName), ianaName]),
)

/** Ids of all time zones, `utc` first. */
export const timeZoneIds: readonly string[] = [...ianaNames.keys()]

/** IANA name of a time zone's id; undefined for an unknown id. */
export function ianaTimeZone(id: string): string | undefined {
  return ianaNames.get(id)
}
