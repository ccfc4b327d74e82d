import { expect, test } from 'vitest'
import { warnOfMemory } from './memory.ts'

const megabyte = 1_000_000

function warned(config: Parameters<typeof warnOfMemory>[0], limit: number): readonly unknown[] {
  const facts: unknown[] = []
  warnOfMemory(config, { warn: (fact: unknown) => void facts.push(fact) } as Parameters<typeof warnOfMemory>[1], limit)
  return facts
}

const whole = { databaseUrl: undefined, localSensors: 3, roles: ['api', 'monitoring'] } as const
const api = { databaseUrl: 'postgres://127.0.0.1/latarnik', localSensors: 3, roles: ['api'] } as const
const monitoring = { ...api, roles: ['monitoring'] } as const

test('a memory limit below the need of the process is told, with both', () => {
  expect(warned(whole, 399 * megabyte)).toEqual([{ limit_mb: 399, needed_mb: 400 }])
  expect(warned(monitoring, 300 * megabyte)).toEqual([{ limit_mb: 300, needed_mb: 400 }])
  expect(warned(api, 249 * megabyte)).toEqual([{ limit_mb: 249, needed_mb: 250 }])
})

test('enough memory, and no limit, are not told', () => {
  for (const limit of [400 * megabyte, 2 ** 63, 2 ** 64, Number.POSITIVE_INFINITY])
    expect(warned(whole, limit)).toEqual([])
  expect(warned(api, 250 * megabyte)).toEqual([])
})
