import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** The first moment that a ZIP file can hold anywhere on earth. */
const firstDay = new Date('1980-01-02T00:00:00Z')

/** A ZIP file with one file in it. The bytes decide it: the same content has the same ETag. */
export async function zipOf(name: string, content: Readable): Promise<Buffer> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  zip.addReadStream(content, name, { mtime: firstDay })
  content.on('error', (error) => zip.emit('error', error))
  zip.end()
  const failed = new Promise<never>((_resolve, reject) => zip.on('error', reject))
  return Promise.race([buffer(zip.outputStream), failed])
}
