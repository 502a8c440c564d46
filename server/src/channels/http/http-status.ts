export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** The other side says that it will not do it. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status <= 499;
}
