// Loaded into a probing process: it collects its garbage when it is told to.
process.on('SIGUSR2', () => {
  globalThis.gc?.()
  globalThis.gc?.()
})
