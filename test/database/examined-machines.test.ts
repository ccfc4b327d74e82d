import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { machineFindings } from '../../src/cli/examine/machines.ts'
import type { Database } from '../../src/database/connect.ts'
import { isOnCluster, type TestDatabase, testDatabase, urlOf } from '../support/database.ts'
import { freePort } from '../support/real-server.ts'
import { type StandingMachines, standingMachines } from '../support/standing-machines.ts'

let world: StandingMachines
let url: string
let answering: Server
let silent: Server
const held = new Set<Socket>()

async function listening(hear: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    held.add(socket.on('error', () => undefined))
    hear(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

/** Where the test server listens: it may have no port. */
async function placeOf(database: Database): Promise<{ path: string } | { host: string; port: number }> {
  const [row] = await database.query<{ host: string | null; port: number; folder: string }>(sql`
    select host(inet_server_addr()) as host, current_setting('port')::int as port, current_setting('unix_socket_directories') as folder`)
  if (row === undefined) throw new Error('The server does not say where it is.')
  const { host, port, folder } = row
  return host === null ? { path: `${folder.replaceAll('"', '')}/.s.PGSQL.${port}` } : { host, port }
}

beforeAll(async () => {
  world = await standingMachines(Date.UTC(2030, 0, 1))
  url = await urlOf(world.coordinator)
  await world.coordinator.execute(raw('create table pg_dist_partition (logicalrelid regclass)'))
  await world.coordinator.execute(raw(`insert into pg_dist_partition values ('analyses_hot')`))
  const place = await placeOf(world.coordinator)
  answering = await listening((socket) => {
    const onward = connect(place).on('error', () => socket.destroy())
    held.add(onward)
    socket.pipe(onward).pipe(socket)
  })
  silent = await listening(() => undefined)
})
afterAll(async () => {
  for (const socket of held) socket.destroy()
  answering.close()
  silent.close()
  await world.drop()
})

async function found(first: number, second: number) {
  for (const [group, port] of [first, second].entries())
    await world.coordinator.execute(sql`
      update pg_dist_node set nodename = '127.0.0.1', nodeport = ${port} where groupid = ${group + 1} and noderole = 'primary'`)
  return machineFindings(world.coordinator, url)
}

test('machines of a cluster that answer are told', async () => {
  const port = portOf(answering)
  expect(await found(port, port)).toEqual([
    {
      subject: `Machine 127.0.0.1:${port} of the cluster`,
      state: 'ok',
      text: 'holds a part of the history, and answers',
    },
  ])
})

test('a machine that is gone, and one that keeps silent, are told with what that means', async () => {
  const gone = await freePort()
  const findings = await found(gone, portOf(silent))
  const means = 'the history of its services cannot be read, and new analyses wait for it; checks and notices go on'
  expect(new Map(findings.map(({ subject, ...rest }) => [subject, rest]))).toEqual(
    new Map([
      [
        `Machine 127.0.0.1:${gone} of the cluster`,
        { state: 'fault', text: `connect ECONNREFUSED 127.0.0.1:${gone}: ${means}` },
      ],
      [
        `Machine 127.0.0.1:${portOf(silent)} of the cluster`,
        {
          state: 'fault',
          text: expect.stringMatching(`^(timeout expired|Connection terminated unexpectedly): ${means}$`),
        },
      ],
    ]),
  )
})

test('a single server has no machines', async () => {
  const alone: TestDatabase = await testDatabase()
  expect((await machineFindings(alone.database, alone.url)).length > 0).toBe(isOnCluster)
  await alone.drop()
})
