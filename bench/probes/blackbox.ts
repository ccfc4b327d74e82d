// Debian's prometheus-blackbox-exporter doing the same checks, its CPU read from /proc.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ComparedKind } from './kinds.ts'
import type { Targets } from './targets.ts'

export interface Blackbox {
  probe(kind: ComparedKind): Promise<void>
  cpuMs(): number
  stop(): void
}

const clockTicksPerSecond = 100
const configuration = `modules:
  http: {prober: http, timeout: 7s, http: {preferred_ip_protocol: ip4}}
  https: {prober: http, timeout: 7s, http: {preferred_ip_protocol: ip4, tls_config: {insecure_skip_verify: true}}}
  tcp_connect: {prober: tcp, timeout: 5s, tcp: {preferred_ip_protocol: ip4}}
  dns: {prober: dns, timeout: 5s, dns: {query_name: www.example.com, query_type: A, preferred_ip_protocol: ip4}}
`

export function findBlackbox(): string | null {
  const paths = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'prometheus-blackbox-exporter'))
  return paths.find((path) => existsSync(path)) ?? null
}

export function startBlackbox(executable: string, { http, https, tcp_connect, dns }: Targets): Promise<Blackbox> {
  return startBlackboxOn(executable, {
    http: `http://127.0.0.1:${http}/`,
    https: `https://127.0.0.1:${https}/`,
    tcp_connect: `127.0.0.1:${tcp_connect}`,
    dns: `127.0.0.1:${dns}`,
  })
}

/** @param addresses as the exporter takes them; kinds without one cannot be probed. */
export async function startBlackboxOn(
  executable: string,
  addresses: Readonly<Partial<Record<ComparedKind, string>>>,
): Promise<Blackbox> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-probes-'))
  const file = join(folder, 'blackbox.yml')
  writeFileSync(file, configuration)
  const port = await freePort()
  const child = spawn(
    executable,
    [`--config.file=${file}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
    {
      stdio: 'ignore',
    },
  )
  const agent = new Agent({ keepAlive: true })
  const blackbox: Blackbox = {
    async probe(kind) {
      const text = await read(
        agent,
        `http://127.0.0.1:${port}/probe?module=${kind}&target=${encodeURIComponent(addresses[kind] ?? '')}`,
      )
      if (!text.includes('\nprobe_success 1')) throw new Error(`blackbox_exporter failed the ${kind} target`)
    },
    cpuMs() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / clockTicksPerSecond
    },
    stop() {
      agent.destroy()
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await waitUntilAnswering(agent, port)
  return blackbox
}

async function waitUntilAnswering(agent: Agent, port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      await read(agent, `http://127.0.0.1:${port}/-/healthy`)
      return
    } catch {
      await pause(50)
    }
  }
  throw new Error('blackbox_exporter does not answer')
}

function read(agent: Agent, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
