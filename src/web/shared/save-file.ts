/** Downloads a file that was created in the browser. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Frees the memory later, when the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
