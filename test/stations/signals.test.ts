import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startLocalStations } from '../../src/sensor/local.ts'
import { jobFor, verdictOf } from '../support/check.ts'
import { createNastyServers, say } from '../support/nasty-server.ts'

/** The pids of the processes that probe for this one. */
function probing(): readonly number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ')
  return children
    .filter((pid) => /sensor\/process/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')))
    .map((pid) => Number(pid))
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s to the whole process group ends no check', async (signal) => {
  const said: string[] = []
  const servers = createNastyServers()
  const address = `127.0.0.1:${await servers.http(say('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'))}/`
  const stations = await startLocalStations({
    ...{ sensorIds: [1], allow: 'all' },
    log: (_level, message) => void said.push(message),
  })
  try {
    const before = probing()
    expect(before).toHaveLength(1)
    for (const pid of before) process.kill(pid, signal)
    expect(verdictOf(await stations.check({ ...jobFor('http', address), sensorId: 1 }))).toBe('ok')
    expect(probing()).toEqual(before)
    expect(said.filter((message) => /probing process/i.test(message))).toEqual([])
  } finally {
    await stations.stop()
    servers.closeAll()
  }
  expect(probing()).toEqual([])
})
