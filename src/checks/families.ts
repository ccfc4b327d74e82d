import type { Words } from './settings.ts'

/** Groups of similar types of services, in the order in which they are offered. */
export const families = {
  web: { en: 'Web and APIs', pl: 'WWW i API' },
  browser: { en: 'Pages and scripts in a browser', pl: 'Strony i skrypty w przeglądarce' },
  heartbeats: { en: 'Jobs that report in', pl: 'Zadania, które się zgłaszają' },
  names: { en: 'Domains and certificates', pl: 'Domeny i certyfikaty' },
  network: { en: 'Network', pl: 'Sieć' },
  mail: { en: 'Mail', pl: 'Poczta' },
  databases: { en: 'Databases', pl: 'Bazy danych' },
  messaging: { en: 'Messaging', pl: 'Kolejki i komunikaty' },
  servers: { en: 'Servers and devices', pl: 'Serwery i urządzenia' },
} as const satisfies Readonly<Record<string, Words>>

export type Family = keyof typeof families

export const familyIds = Object.keys(families) as readonly Family[]
