import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'

const blockBytes = 512
const regularFile = new Set(['0', '\0'])

/** Unpacks the regular files of a POSIX (ustar) archive below a folder; links and devices are skipped. */
export async function untar(archive: Buffer, folder: string): Promise<void> {
  for (let at = 0; at + blockBytes <= archive.length; ) {
    const header = archive.subarray(at, at + blockBytes)
    const name = text(header, 0, 100)
    if (name === '') return
    const bytes = Number.parseInt(text(header, 124, 12), 8)
    if (!Number.isInteger(bytes)) throw new Error(`the archive is broken at byte ${at}`)
    at += blockBytes
    if (regularFile.has(header.toString('latin1', 156, 157))) {
      const mode = Number.parseInt(text(header, 100, 8), 8) & 0o111 ? 0o755 : 0o644
      await place(folder, name, archive.subarray(at, at + bytes), mode)
    }
    at += Math.ceil(bytes / blockBytes) * blockBytes
  }
}

async function place(folder: string, name: string, content: Buffer, mode: number): Promise<void> {
  const path = normalize(join(folder, name))
  if (!path.startsWith(folder + sep)) throw new Error(`the archive leaves its folder: ${name}`)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content, { mode })
}

/** A field ends at its first zero byte. */
function text(header: Buffer, from: number, length: number): string {
  const field = header.toString('latin1', from, from + length)
  const end = field.indexOf('\0')
  return (end < 0 ? field : field.slice(0, end)).trim()
}
