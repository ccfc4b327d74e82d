import { previews as ofMessages } from '../notifications/previews.ts'
import { previewPage } from '../status-pages/preview.ts'

/** Things that are shown before they are saved, as their readers would see them. */
export const previews = { ...ofMessages, page: previewPage }
