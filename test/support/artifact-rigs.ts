import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { diskArtifacts } from '../../src/database/artifacts/disk.ts'
import { s3Artifacts } from '../../src/database/artifacts/s3.ts'
import type { S3Location } from '../../src/database/artifacts/s3-client.ts'
import type { ArtifactStore } from '../../src/database/artifacts/store.ts'

/** A store of artifacts with what it keeps them in on this machine. */
export interface ArtifactRig {
  readonly store: ArtifactStore
  /** The same artifacts as another process sees them. */
  readonly other: ArtifactStore
  /** Everything that lies there, by its path, as it is kept. */
  kept(): Promise<ReadonlyMap<string, Buffer>>
  /** From now on nothing can be kept. */
  breakDown(): Promise<void>
  close(): Promise<void>
}

export async function diskRig(): Promise<ArtifactRig> {
  const parent = await mkdtemp(join(tmpdir(), 'latarnik-artifacts-'))
  const directory = join(parent, 'artifacts')
  return {
    store: diskArtifacts(directory),
    other: diskArtifacts(directory),
    kept: () => filesBelow(directory),
    async breakDown() {
      await rm(directory, { recursive: true, force: true })
      await writeFile(directory, 'a file where the artifacts should be')
    },
    close: () => rm(parent, { recursive: true }),
  }
}

async function filesBelow(directory: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(await Promise.all(files.map(async (path) => [path, await readFile(path)] as const)))
}

export interface S3Rig extends ArtifactRig {
  readonly place: S3Location
}

/**
 * The server's own writing acknowledges an object before its bytes are on disk, so a busy machine may read the
 * beginning of it. A store that keeps its word has all of it under its name first.
 */
function acknowledgeWholeObjects(store: S3rver.Store): void {
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content)
    const path = store.getResourcePath(bucket, key, 'object')
    await mkdir(dirname(path), { recursive: true })
    const draft = `${path}.${randomUUID()}`
    await writeFile(draft, bytes)
    await rename(draft, path)
    const md5 = createHash('md5').update(bytes).digest('hex')
    await store.putMetadata(bucket, key, metadata, md5)
    return { size: bytes.length, md5 }
  }
}

/** The keys that the server knows. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

export async function s3Rig(): Promise<S3Rig> {
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-s3-'))
  const bucket = 'latarnik-evidence'
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: bucket }] }
  const server = new S3rver(options)
  acknowledgeWholeObjects(server.store)
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  const place = { endpoint, region: 'us-east-1', bucket, prefix: 'shop/', credentials }
  return {
    place,
    store: s3Artifacts(place),
    other: s3Artifacts(place),
    kept: () => filesBelow(directory),
    breakDown: () => server.close(),
    async close() {
      await server.close().catch(() => undefined)
      await rm(directory, { recursive: true })
    },
  }
}

/** Takes connections and says nothing. */
export async function silentServer(): Promise<{ readonly url: string; close(): void }> {
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
