/** Styles that are on the page or on their way to it, by address. */
const loaded = new Map<string, Promise<void>>()

/** The screen appears without its style if that does not come. */
function load(address: string): Promise<void> {
  return new Promise((done) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = new URL(address, import.meta.url).href
    link.onload = () => done()
    link.onerror = () => {
      loaded.delete(address)
      link.remove()
      done()
    }
    document.head.append(link)
  })
}

/** A file of a screen that few people open, with the style that comes with it. @param address as the build names it */
export async function withStyle<File>(address: string, file: Promise<File>): Promise<File> {
  const style = loaded.get(address) ?? load(address)
  loaded.set(address, style)
  const [found] = await Promise.all([file, style])
  return found
}
