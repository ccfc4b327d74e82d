import { Presets, SingleBar } from 'cli-progress'
import type { Progress } from '../database/dump/progress.ts'
import { print } from './print.ts'

/** A bar on stderr for a person who watches, else a line on stdout for each table that holds something. Units are bytes unless told otherwise. */
export function showProgress(totalText: (units: number) => string = sizeText): Progress {
  return process.stderr.isTTY ? bar(totalText) : lines()
}

const mebibyte = 1_048_576

function bar(totalText: (units: number) => string): Progress {
  const shown = new SingleBar(
    {
      format: ' {bar} {percentage}% of {size} · {subject}',
      hideCursor: true,
      clearOnComplete: true,
      stream: process.stderr,
    },
    Presets.shades_classic,
  )
  return {
    begin: (total) => shown.start(Math.max(1, total), 0, { subject: '', size: totalText(total) }),
    at: (units, subject) => shown.update(units, { subject }),
    done: (subject) => shown.update({ subject }),
    end: () => shown.stop(),
  }
}

function lines(): Progress {
  return {
    begin: () => undefined,
    at: () => undefined,
    done: (subject, count) => {
      if (count > 0) print(`${subject}: ${count}`)
    },
    end: () => undefined,
  }
}

export function sizeText(bytes: number): string {
  return bytes < mebibyte ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / mebibyte).toFixed(1)} MiB`
}
