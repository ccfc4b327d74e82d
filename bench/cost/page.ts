import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Page {
  readonly port: number
  stop(): void
}

/** A page of two kilobytes in a process of its own, whose CPU nobody counts. */
const server = `
const page = Buffer.alloc(2048, 'a page of two kilobytes ')
const server = require('node:http').createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html')
  response.end(page)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

export async function startPage(): Promise<Page> {
  const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { port: Number(port.toString()), stop: () => void child.kill() }
}
