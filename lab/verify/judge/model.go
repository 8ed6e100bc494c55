package main

import (
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

// state is what is stored of one code of one user, and how often erasures have searched it.
type state struct {
	applied  string
	repeated string // The other dates, sorted and joined: states are compared with ==.
	searches int
}

// call is an operation of a history, with what the others of its user mean for it.
type call struct {
	record
	// erasuresBefore counts the erasures of the user that began before the answer.
	erasuresBefore int
	// overlapsErasure is true for a call during an erasure: it may be erased, or not.
	overlapsErasure bool
	// spared has the dates of such calls, for a search.
	spared []string
}

// Each erasure searches the table twice.
const searchesPerErasure = 2

var model = porcupine.NondeterministicModel{
	Init: func() []any { return []any{state{}} },
	Step: func(before, input, _ any) []any {
		var after []any
		for _, next := range step(before.(state), input.(call)) {
			after = append(after, next)
		}
		return after
	},
	DescribeOperation: func(input, _ any) string { return input.(call).String() },
	DescribeState:     func(s any) string { return strings.Join(s.(state).items(), ", ") },
}

// step returns the states that a call can leave behind; none if it cannot have its outcome.
func step(s state, c call) []state {
	isOthers := s.applied != "" && s.applied != c.Date
	switch c.Op {
	case "read":
		if slices.Equal(s.items(), c.Items) {
			return []state{s}
		}
		return nil
	case "search":
		return s.searched(c.spared)
	}
	switch c.Outcome {
	case "refused":
		return []state{s}
	case "applied":
		if isOthers {
			return nil
		}
		return []state{s.with(c.Date)}
	case "repeated":
		if !isOthers {
			return nil
		}
		return []state{s.with(c.Date)}
	case "used":
		if !isOthers {
			return nil
		}
		return []state{s}
	case "queued":
		next := c.erasuresBefore * searchesPerErasure
		if s.searches >= next+searchesPerErasure {
			return []state{s}
		}
		if s.searches <= next && !c.overlapsErasure {
			return []state{s.with(c.Date)}
		}
		return []state{s, s.with(c.Date)}
	default: // Unanswered, failed or retryable.
		if s.searches >= (c.erasuresBefore+1)*searchesPerErasure {
			return []state{s}
		}
		return []state{s, s.with(c.Date)}
	}
}

// with returns the state after a request with a date was stored.
func (s state) with(date string) state {
	dates := strings.Fields(s.repeated)
	switch {
	case s.applied == "":
		s.applied = date
	case s.applied != date && !slices.Contains(dates, date):
		dates = append(dates, date)
		slices.Sort(dates)
		s.repeated = strings.Join(dates, " ")
	}
	return s
}

// searched returns the states after an erasure has searched: it may spare what came during it.
func (s state) searched(spared []string) []state {
	states := []state{{searches: s.searches + 1}}
	if slices.Contains(spared, s.applied) {
		kept := states[0]
		kept.applied = s.applied
		states = append(states, kept)
	}
	for _, date := range strings.Fields(s.repeated) {
		if !slices.Contains(spared, date) {
			continue
		}
		for _, other := range slices.Clone(states) {
			other.repeated = strings.TrimSpace(other.repeated + " " + date)
			states = append(states, other)
		}
	}
	return states
}

// items returns the state as a read finds it.
func (s state) items() []string {
	var items []string
	if s.applied != "" {
		items = append(items, "applied "+s.applied)
	}
	for _, date := range strings.Fields(s.repeated) {
		items = append(items, "repeated "+date)
	}
	return items
}
