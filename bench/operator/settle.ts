/** Makes the services through the API, no faster than they are checked afterwards. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Ground, wantedService } from './population.ts'
import type { ServedProgram } from './served-program.ts'
import type { Settings } from './settings.ts'

const handsAtOnce = 4
const servicesOfGroup = 100
const tellAfter = 2000

type Json = Readonly<Record<string, unknown>>

async function made({ api, authorization }: ServedProgram, path: string, body: Json): Promise<number> {
  const response = await fetch(`${api}${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { readonly id: number }).id
}

async function makeGroups(program: ServedProgram, services: number): Promise<number[]> {
  const groups: number[] = []
  for (let number = 0; number * servicesOfGroup < services; number += 1) {
    const id = await made(program, '/groups', { name: `Customer ${number + 1}` })
    const address = `customer${number + 1}@farm.example`
    await made(program, '/notification_addresses', { group_id: id, notification_channel_id: 'email', address })
    groups.push(id)
  }
  return groups
}

/**
 * Creates the services and returns their ids, by index. It waits one interval, so that their simultaneous first rounds
 * make no burst.
 */
export async function settle(program: ServedProgram, ground: Ground, settings: Settings): Promise<number[]> {
  const { services, intervalSeconds } = settings
  const groups = await makeGroups(program, services)
  const ids: number[] = []
  const startedAt = performance.now()
  let next = 0
  async function work(): Promise<void> {
    while (next < services) {
      const index = next
      next += 1
      await pause(startedAt + (index / services) * intervalSeconds * 1000 - performance.now())
      ids[index] = await made(program, '/services', {
        ...wantedService(index, ground),
        ...{ name: `Service ${index}`, interval: intervalSeconds, group_id: groups[index % groups.length] },
        notification_channel_ids: ['email'],
      })
      if ((index + 1) % tellAfter === 0) console.log(`  ${index + 1}`)
    }
  }
  await Promise.all(Array.from({ length: handsAtOnce }, work))
  return ids
}
