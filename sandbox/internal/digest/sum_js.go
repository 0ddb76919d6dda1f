package digest

func sum(data []byte) [32]byte { return plain(data) }
