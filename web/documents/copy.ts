/** A button at each code block; browsers copy only from secure pages. */
export function addCopyButtons({ copy = '', copied = '' }: DOMStringMap): void {
  if (navigator.clipboard === undefined) return
  for (const block of document.querySelectorAll('pre')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = copy
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent ?? '')
      button.textContent = copied
    })
    const frame = document.createElement('div')
    frame.className = 'code'
    block.replaceWith(frame)
    frame.append(block, button)
  }
}
