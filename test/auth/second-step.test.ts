import { pino } from 'pino'
import { expect, test } from 'vitest'
import { apiWorld } from '../support/api.ts'

test('the second step of a login that has not begun leads to the login, and is no fault of ours', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const world = await apiWorld({ log })
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const replies = [
      await world.server.inject({ url: '/login/second-step?to=/services' }),
      await world.server.inject({ method: 'POST', url: '/login/second-step', headers, payload: 'to=/services' }),
      await world.server.inject({
        method: 'POST',
        url: '/login/second-step/options',
        headers,
        payload: 'to=/services',
      }),
    ]
    expect(replies.map((reply) => [reply.statusCode, reply.headers.location])).toEqual([
      ...[
        [303, '/login?to=%2Fservices'],
        [303, '/login?to=%2Fservices'],
        [303, '/login?to='],
      ],
    ])
    expect(lines).toEqual([])
  } finally {
    await world.drop()
  }
})
