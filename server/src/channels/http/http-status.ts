export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** Somebody on the way got tired of waiting, and knows no more than we do. */
const TIMED_OUT = 408;

/** The other side says that it will not do it. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status <= 499 && status !== TIMED_OUT;
}
