// A page of 31 requests and 440 KB on loopback, in a process of its own. Tells its port to the parent.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

const images = 20
const scripts = 6
const styles = 4
const pageBytes = 440 * 1024

/** Bytes that do not shrink, the same in every run. */
function noise(seed: string, bytes: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes / 64) }, (_none, block) =>
    createHash('sha512').update(`${seed} ${block}`).digest(),
  )
  return Buffer.concat(blocks).subarray(0, bytes)
}

/** A grey picture of the size, in the simplest format that browsers know. */
function bitmap(side: number): Buffer {
  const pixels = noise('pixels', side * side * 3)
  const header = Buffer.alloc(54)
  header.write('BM')
  header.writeUInt32LE(54 + pixels.length, 2)
  header.writeUInt32LE(54, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(side, 18)
  header.writeInt32LE(side, 22)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(24, 28)
  return Buffer.concat([header, pixels])
}

const list = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_none, index) => line(index)).join('\n')
const picture = bitmap(72)
const others = (pageBytes - images * picture.length) / (scripts + styles + 1)
const filler = noise('text', Math.floor(others / 2) - 400).toString('hex')
const page = `<!doctype html><title>Bench</title>
${list(styles, (index) => `<link rel="stylesheet" href="/style${index}.css">`)}
<h1>Shop</h1>${list(60, (index) => `<p>Paragraph ${index} of a page as they are.</p>`)}
${list(images, (index) => `<img width="72" height="72" src="/image${index}.bmp">`)}
${list(scripts, (index) => `<script src="/script${index}.js"></script>`)}<!-- ${filler} -->`

const server = createServer((request, response) => {
  const path = request.url ?? '/'
  const send = (type: string, body: string | Buffer): void => {
    response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
  }
  if (path.startsWith('/image')) send('image/bmp', picture)
  else if (path.startsWith('/script')) send('text/javascript', `document.title += '.' /* ${filler} */`)
  else if (path.startsWith('/style')) send('text/css', `p { margin: 4px } /* ${filler} */`)
  else if (path === '/bad') response.writeHead(500, { 'content-type': 'text/html' }).end(page)
  else if (path === '/') send('text/html', page)
  else response.writeHead(404).end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : 0)
})
process.on('disconnect', () => process.exit(0))
