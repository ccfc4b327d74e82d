import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTextResolver } from '../../src/outgoing/texts.ts'
import { type DnsAnswer, type DnsServer, rcodes, startDnsServer } from '../support/dns-server.ts'

let directory: string
let server: DnsServer | undefined

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'latarnik-texts-'))
})
afterEach(async () => {
  server?.close()
  await rm(directory, { recursive: true })
})

async function look(answer: DnsAnswer): Promise<readonly string[]> {
  server = await startDnsServer(answer)
  const configuration = join(directory, 'resolv.conf')
  await writeFile(configuration, 'nameserver 127.0.0.1\n')
  const lookUp = createTextResolver({ files: { hosts: join(directory, 'hosts'), configuration }, port: server.port })
  return lookUp('_latarnik.shop.test', 1500)
}

const name = '_latarnik.shop.test'

describe('the texts of a name', () => {
  test('come from its TXT records, joined from their parts, and through an alias', async () => {
    const texts = await look(() => ({
      answers: [
        { type: 'CNAME', name, data: 'proof.test' },
        { type: 'TXT', name: 'proof.test', data: ['latarnik-', 'status-page=1'] },
        { type: 'TXT', name: 'proof.test', data: 'other' },
      ],
    }))
    expect(texts).toEqual(['latarnik-status-page=1', 'other'])
    expect(server?.queries).toMatchObject([{ name, type: 'TXT' }])
  })

  test('are none without the name or the record', async () => {
    expect(await look(() => ({ flags: rcodes.NXDOMAIN }))).toEqual([])
    server?.close()
    expect(await look(() => ({ answers: [] }))).toEqual([])
  })

  test('are unknown when the name servers fail or keep silent', async () => {
    await expect(look(() => ({ flags: rcodes.SERVFAIL }))).rejects.toThrow('SERVFAIL')
    server?.close()
    await expect(look(() => null)).rejects.toThrow('no reply')
  })
})
