/** The exit code of programs that a closed pipe ends (128 + SIGPIPE), as shells show it. */
const brokenPipeCode = 141

/**
 * Ends a command quietly when the reader of its output stops reading (`latarnik doctor | head -1`). A lasting command
 * such as `start` does not depend on its reader: it only stops printing.
 */
export function endOnBrokenPipe(stream: NodeJS.WriteStream, isLasting: () => boolean): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    if (!isLasting()) process.exit(process.exitCode ?? brokenPipeCode)
  })
}
