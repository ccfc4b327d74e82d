import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { launch, temporaryDirectory } from '../program/launch.ts'
import { wholeProgram } from '../support/own-program.ts'

const parent = temporaryDirectory()
afterAll(() => parent.remove())

test('a port that is taken is told before anything is made, in DATA_DIR too', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const demo = launch({ PORT: String(port), DATA_DIR: parent.path }, ['demo'], wholeProgram('cli'))
  expect(await demo.ended()).toBe(2)
  expect(demo.stderr()).toBe(
    `latarnik: Port ${port} on 127.0.0.1 is taken by another program; choose another with PORT.\n`,
  )
  expect(existsSync(join(parent.path, 'demo'))).toBe(false)
  await new Promise((resolve) => other.close(resolve))
}, 60_000)
