/** Where the public finds a page of this installation. */
export function pageAddress({ slug }: { readonly slug: string }): string {
  return `${document.documentElement.dataset['prefix'] ?? ''}/status/${slug}`
}
