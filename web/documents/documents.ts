// The script of the documentation's pages: the search and the buttons that copy code. Pages work without it.
import { addCopyButtons } from './copy.ts'
import { addSearch } from './search.ts'

const form = document.querySelector<HTMLFormElement>('#search')
if (form !== null) {
  addSearch(form)
  addCopyButtons(form.dataset)
}
