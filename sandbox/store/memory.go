package store

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// Memory is a store that lasts as long as the program: for tests, and where
// nothing can be kept.
type Memory struct {
	*content
	closed atomic.Bool
}

// content is what several Memory stores may share.
type content struct {
	mu    sync.Mutex
	data  map[Key][]byte
	full  bool
	locks map[string]chan struct{} // closed when the lock is let go
}

// NewMemory makes an empty store.
func NewMemory() *Memory {
	return &Memory{content: &content{data: map[Key][]byte{}, locks: map[string]chan struct{}{}}}
}

// Again opens the same store once more, as the next visit or another window does.
func (m *Memory) Again() *Memory { return &Memory{content: m.content} }

// SetFull makes every Commit that puts something fail for lack of room.
func (m *Memory) SetFull(full bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.full = full
}

// open is asked by every method, with the content locked.
func (m *Memory) open(ctx context.Context) error {
	if m.closed.Load() {
		return ErrClosed
	}
	return ctx.Err()
}

// Get implements Store.
func (m *Memory) Get(ctx context.Context, k Key) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.open(ctx); err != nil {
		return nil, err
	}
	return m.data[k], nil
}

// Keys implements Store.
func (m *Memory) Keys(ctx context.Context, t Table) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.open(ctx); err != nil {
		return nil, err
	}
	list := []string{}
	for k := range m.data {
		if k.Table == t {
			list = append(list, k.Name)
		}
	}
	slices.Sort(list)
	return list, nil
}

// Commit implements Store.
func (m *Memory) Commit(ctx context.Context, b Batch) error {
	if err := b.check(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.open(ctx); err != nil {
		return err
	}
	for _, g := range b.Guards {
		if !g.holds(m.data[g.Key]) {
			return ErrConflict
		}
	}
	if m.full && len(b.Puts) > 0 {
		return ErrQuota
	}
	for _, p := range b.Puts {
		m.data[p.Key] = append([]byte{}, p.Data...)
	}
	for _, k := range b.Deletes {
		delete(m.data, k)
	}
	return nil
}

// Lock implements Store.
func (m *Memory) Lock(ctx context.Context, name string, wait bool) (func(), error) {
	for {
		m.mu.Lock()
		if err := m.open(ctx); err != nil {
			m.mu.Unlock()
			return nil, err
		}
		held := m.locks[name]
		if held == nil {
			mine := make(chan struct{})
			m.locks[name] = mine
			m.mu.Unlock()
			var once sync.Once
			return func() {
				once.Do(func() {
					m.mu.Lock()
					defer m.mu.Unlock()
					delete(m.locks, name)
					close(mine)
				})
			}, nil
		}
		m.mu.Unlock()
		if !wait {
			return nil, ErrHeld
		}
		select {
		case <-held:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Close implements Store.
func (m *Memory) Close() error {
	m.closed.Store(true)
	return nil
}
