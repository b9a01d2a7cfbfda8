import { useEffect, useState } from 'react';

const DELAY_MS = 500;

/** Returns the value after it has stayed the same for a moment, for example after typing. @param value compared as JSON. */
export function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(JSON.parse(text) as Value), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
