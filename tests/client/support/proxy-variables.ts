const NAMES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"] as const;

/** Each test of the suite in which this is called begins without proxies, and leaves the variables of this machine as they were. */
export function withoutProxies(): void {
  const before = NAMES.map((name) => [name, process.env[name]] as const);

  beforeEach(() => {
    for (const name of NAMES) delete process.env[name];
  });

  afterEach(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });
}
