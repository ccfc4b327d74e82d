import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { strictOptions } from './compile.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Packs the built package and puts it into a folder, as the only installed one. */
export async function installPackage(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules/latarnik')
  await mkdir(installed, { recursive: true })
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', args, { cwd: root })
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }]
  await run('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1'])
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
}

/** Has `compile` compile one file of a folder. */
export async function configureCompiler(folder: string, file: string, more: object = {}): Promise<void> {
  const compilerOptions = { ...strictOptions, skipLibCheck: false, ...more }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [file] }))
}
