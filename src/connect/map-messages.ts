/**
 * Map the messages of a stream one by one, as they are asked for. Where the mapping throws, the source is closed and the stream
 * ends with that error; everything else passes as it is.
 */
export function mapMessages<T>(messages: AsyncIterable<T>, map: (message: T) => T): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => mapIterator(messages[Symbol.asyncIterator](), map) };
}

// No async generator: one that waits for its source can neither be closed nor be told of an error before a message comes.
function mapIterator<T>(source: AsyncIterator<T>, map: (message: T) => T): AsyncIterator<T> {
  let hasFailed = false;
  const convert = (result: IteratorResult<T>): IteratorResult<T> => {
    if (result.done === true) return result;
    try {
      return { done: false, value: map(result.value) };
    } catch (error) {
      hasFailed = true;
      void close(source);
      throw error;
    }
  };
  const iterator: AsyncIterator<T> = {
    next: () => (hasFailed ? Promise.resolve({ done: true, value: undefined }) : source.next().then(convert)),
  };
  // Whether a stream can be closed is seen by its methods.
  const { return: returnFrom, throw: throwInto } = source;
  if (returnFrom !== undefined) iterator.return = (value) => returnFrom.call(source, value).then(convert);
  if (throwInto !== undefined) iterator.throw = (error) => throwInto.call(source, error).then(convert);
  return iterator;
}

async function close(source: AsyncIterator<unknown>): Promise<void> {
  try {
    await source.return?.();
  } catch {
    // The stream has ended with another error, which came first.
  }
}
